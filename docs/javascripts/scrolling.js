// Code that is wider than the screen can be reached with the keyboard, to be moved sideways; other code cannot.
document.addEventListener("DOMContentLoaded", () => {
  const widths = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const code of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) widths.observe(code);
});
