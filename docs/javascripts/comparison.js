// Compare two editions: the choice is kept in the address. Without this script the table shows all of them.
(() => {
  const form = document.querySelector(".chooser");
  const table = document.querySelector(".compared");
  if (!form || !table) return;
  const { one, other, differs } = form.elements;
  const codes = [...table.tHead.rows[0].cells].map((head) => head.dataset.code);
  const all = codes.length;
  const said = form.querySelector("[role=status]");

  for (const cell of table.querySelectorAll("[data-as]")) {
    cell.dataset.words = cell.innerHTML; // "As in Second" is enough while that column is beside it
  }
  const own = (row, at) => {
    const cell = row.cells[at];
    return cell.dataset.as === undefined ? cell : row.cells[cell.dataset.as];
  };
  const text = (cell) => {
    const copy = cell.cloneNode(true);
    for (const id of copy.querySelectorAll(".id")) id.remove();
    return copy.textContent.trim().replace(/\s+/g, " ");
  };

  const show = (pair) => {
    const shown = pair ?? codes.map((_, at) => at);
    table.classList.toggle("pair", Boolean(pair));
    let count = 0;
    const heads = table.tHead.rows[0].cells;
    for (let at = 0; at < all; at += 1) heads[at].hidden = !shown.includes(at);
    for (const body of table.tBodies) {
      const [title, row] = body.rows;
      title.cells[0].colSpan = shown.length;
      for (let at = 0; at < all; at += 1) {
        const cell = row.cells[at];
        cell.hidden = !shown.includes(at);
        if (cell.dataset.as !== undefined && !cell.hidden) {
          cell.innerHTML = pair ? own(row, at).innerHTML : cell.dataset.words;
        }
      }
      const same = pair && text(own(row, pair[0])) === text(own(row, pair[1]));
      const nothing = pair && pair.every((at) => text(own(row, at)) === "–");
      body.hidden = Boolean(pair && ((same && differs.checked) || nothing));
      body.classList.toggle("same", Boolean(same));
      count += body.hidden ? 0 : 1;
    }
    said.textContent = pair ? `${count} ${count === 1 ? "row" : "rows"}` : "All editions";
  };

  const chosen = () => {
    const pair = [codes.indexOf(one.value), codes.indexOf(other.value)];
    return pair[0] === pair[1] ? [pair[0]] : pair.sort((a, b) => a - b);
  };
  const keep = (address) => history.replaceState(null, "", address);
  const link = document.querySelector('main a[href*="comparison"], main a[href="rules/"]');
  const apply = () => {
    const pair = chosen();
    show(pair.length === 2 ? pair : [pair[0], pair[0]]);
    const query = new URLSearchParams({ one: one.value, other: other.value });
    if (!differs.checked) query.set("all", "1");
    keep(`?${query}${location.hash}`);
    if (link) link.search = `?${query}`;
  };

  const asked = new URLSearchParams(location.search);
  const valid = (code, usual) => (codes.includes(code) ? code : usual);
  one.value = valid(asked.get("one"), "second-edition");
  other.value = valid(asked.get("other"), "first-edition");
  differs.checked = !asked.has("all");
  form.hidden = false;
  apply();
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    show(null);
    keep(location.pathname + location.hash);
  });
})();
