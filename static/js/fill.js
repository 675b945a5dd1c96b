// The chart to be filled in: arrow keys go from cell to cell, and a finished code on to the next. Works without it.
"use strict";

(() => {
  const form = document.querySelector("form[data-codes]");
  if (!form) return;
  const codes = form.dataset.codes.split(" ");
  const grid = [...form.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("input")]);
  const boxes = grid.flat();
  const codeOf = (text) => codes.find((code) => code.toLowerCase() === text.trim().toLowerCase());
  const canGrow = (text) => codes.some((code) => code.length > text.length && code.toLowerCase().startsWith(text.toLowerCase()));

  const goTo = (box) => {
    if (!box) return;
    box.focus();
    if (box.select) box.select();
  };
  const goOn = (box) => goTo(boxes[boxes.indexOf(box) + 1] || form.querySelector(".button"));
  const goRow = (box, step) => {
    const place = grid.findIndex((row) => row.includes(box));
    const row = grid[place + step];
    if (row) goTo(row[Math.min(grid[place].indexOf(box), row.length - 1)]);
  };
  const moves = {
    ArrowLeft: (box) => goTo(boxes[boxes.indexOf(box) - 1]),
    ArrowRight: (box) => goTo(boxes[boxes.indexOf(box) + 1]),
    ArrowUp: (box) => goRow(box, -1),
    ArrowDown: (box) => goRow(box, 1),
    " ": goOn,
    Enter: goOn,
  };

  // No list of old entries may cover the chart; yet a form of which that holds as it is sent is empty after Back.
  form.addEventListener("focusin", (event) => event.target.setAttribute("autocomplete", "off"));
  form.addEventListener("submit", () => boxes.forEach((box) => box.removeAttribute("autocomplete")));

  form.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    if (!move || !boxes.includes(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    move(event.target);
  });
  const take = (box) => {
    const text = box.value.trim();
    const code = codeOf(text);
    if (code) {
      box.value = code;
      if (!canGrow(code)) goOn(box);
      return;
    }
    // D waits for an s; any other letter after it is meant for the next cell.
    const [first, next] = [codeOf(text.charAt(0)), boxes[boxes.indexOf(box) + 1]];
    if (!first || !next || canGrow(text)) return;
    box.value = first;
    next.focus();
    next.value = text.slice(1);
    take(next);
  };
  form.addEventListener("input", (event) => {
    if (!(event.inputType || "").startsWith("delete")) take(event.target);
  });
})();
