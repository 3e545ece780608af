// Blocking, in <head>: the admin's theme keeps its choice under another name; both stay in step, in all open pages.
(() => {
  const ours = "longhand-theme", theirs = "adminTheme";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const saved = () => {
    try { return localStorage.getItem(ours); } catch { return null; }
  };
  const save = (name, choice) => {
    try { localStorage.setItem(name, choice); } catch { /* storage is blocked */ }
  };
  const inAdmin = (choice) => (choice === "system" ? "auto" : choice);
  save(theirs, JSON.stringify(inAdmin(saved() || "system")));
  document.addEventListener("alpine:initialized", () => {
    const page = window.Alpine.$data(root);
    // It may have been chosen elsewhere: in Mission Control, or in another tab.
    const follow = () => {
      const choice = saved();
      if (choice) page.adminTheme = inAdmin(choice);
    };
    // The theme looks at the computer's own choice once only.
    const paint = () => {
      const choice = page.adminTheme;
      root.classList.toggle("dark", choice === "auto" ? dark.matches : choice === "dark");
    };
    follow();
    window.Alpine.effect(() => {
      save(ours, page.adminTheme === "auto" ? "system" : page.adminTheme);
      paint();
    });
    addEventListener("storage", follow);
    addEventListener("pageshow", follow);
    dark.addEventListener("change", paint);
  });
})();
