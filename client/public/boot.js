// Sets the theme before the first paint. It is a file of its own, loaded synchronously, because the
// content security policy allows no inline script, and the application's bundle would come too late.
(function () {
  var chosen = null;
  try {
    chosen = window.localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage can be switched off; the system's preference decides then.
  }
  var isDark =
    chosen === "dark" || (chosen !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
