// On a phone, the lines of code wrap, except where they stand in columns.
// Code that is wider than the screen can be reached with the keyboard, to be moved sideways; other code cannot.
document.addEventListener("DOMContentLoaded", () => {
  const widths = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  const COLUMNS = /\S {2,}\S/;
  const FEW = 2; // so many lines with a gap make no columns
  for (const code of document.querySelectorAll("pre:not(.mermaid) > code"))
    if (code.textContent.split("\n").filter((line) => COLUMNS.test(line)).length <= FEW) code.classList.add("wraps");
  for (const code of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) widths.observe(code);

  // The theme puts each button that copies into a landmark of its own, and all of them are alike.
  const plain = () => {
    for (const button of document.querySelectorAll(".md-code__nav:not([role])")) button.setAttribute("role", "none");
  };
  new MutationObserver(plain).observe(document.body, { childList: true, subtree: true });
  plain();
});
