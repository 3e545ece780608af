// Blocking, in <head>: the admin's theme keeps its choice under another name; both stay in step.
(() => {
  const ours = "longhand-theme", theirs = "_x_adminTheme";
  try {
    const choice = localStorage.getItem(ours) || "system";
    localStorage.setItem(theirs, JSON.stringify(choice === "system" ? "auto" : choice));
    addEventListener("pagehide", () => {
      const chosen = JSON.parse(localStorage.getItem(theirs) || '"auto"');
      localStorage.setItem(ours, chosen === "auto" ? "system" : chosen);
    });
  } catch { /* storage is blocked */ }
})();
