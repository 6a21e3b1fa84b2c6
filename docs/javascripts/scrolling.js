// Code that is wider than the screen can be reached with the keyboard, to be moved sideways; other code cannot.
document.addEventListener("DOMContentLoaded", () => {
  const widths = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const code of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) widths.observe(code);

  // The theme puts each button that copies into a landmark of its own, and all of them are alike.
  const plain = () => {
    for (const button of document.querySelectorAll(".md-code__nav:not([role])")) button.setAttribute("role", "none");
  };
  new MutationObserver(plain).observe(document.body, { childList: true, subtree: true });
  plain();
});
