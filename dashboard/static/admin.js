// Blocking, in <head>: the admin's theme keeps its choice under another name; both stay in step.
(() => {
  const ours = "longhand-theme", theirs = "adminTheme";
  try {
    const choice = localStorage.getItem(ours) || "system";
    const given = JSON.stringify(choice === "system" ? "auto" : choice);
    localStorage.setItem(theirs, given);
    addEventListener("pagehide", () => {
      const chosen = localStorage.getItem(theirs);
      if (chosen && chosen !== given) localStorage.setItem(ours, chosen === '"auto"' ? "system" : JSON.parse(chosen));
    });
  } catch { /* storage is blocked */ }
})();
