// A link to a case: on the list of all cases it leads on to the case's section; there it opens the case.
(() => {
  const number = decodeURIComponent(location.hash.slice(1));
  const section = /^\d+\.[A-Z]/.exec(number);
  if (/\/conformance\/(index\.html)?$/.test(location.pathname)) {
    const page = location.pathname.endsWith("index.html") ? "index.html" : "";
    if (section) location.replace(`${section[0]}/${page}#${number}`);
    return;
  }
  const open = () => {
    const fold = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details");
    if (!fold) return;
    fold.open = true;
    fold.scrollIntoView();
  };
  open();
  addEventListener("hashchange", open);
})();
