// Blocking, in <head>: the theme stands before the first paint. "system" follows the computer.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const saved = () => {
    try { return localStorage.getItem("longhand-theme") || "system"; } catch { return "system"; }
  };
  const apply = () => {
    const choice = saved();
    root.dataset.themeChoice = choice;
    root.dataset.bsTheme = choice === "system" ? (dark.matches ? "dark" : "light") : choice;
    // The page of the API is another package's, and goes by a class.
    root.classList.toggle("dark-mode", root.dataset.bsTheme === "dark");
  };
  dark.addEventListener("change", apply);
  // It may have been chosen elsewhere: in the admin, or in another tab.
  addEventListener("pageshow", apply);
  addEventListener("storage", apply);
  root.dataset.js = "";
  window.longhandTheme = (choice) => {
    try { localStorage.setItem("longhand-theme", choice); } catch { /* storage is blocked */ }
    apply();
    root.dataset.themeChoice = choice;
    if (choice !== "system") root.dataset.bsTheme = choice;
  };
  apply();
})();
