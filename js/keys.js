// The keyboard on a board: the arrow keys go from square to square, Enter chooses as on every button, and Escape lets go.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Lets the arrow keys go over the squares of the boards of a table; `release` is what Escape does. */
export function keyed(root, release) {
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") release();
    else if (STEPS[event.key] && event.target.matches(".square")) step(event);
  });
  for (const board of root.querySelectorAll(".board")) entered(board, board.querySelector(".square.chosen") ?? board.querySelector(".square.lit") ?? board.querySelector(".square"));
  return root;
}

/** Of all squares the Tab key goes to one. */
function entered(board, square) {
  for (const one of board.querySelectorAll(".square")) one.tabIndex = one === square ? 0 : -1;
}

function step(event) {
  const [down, right] = STEPS[event.key];
  const board = event.target.closest(".board");
  const { cellIndex, parentElement: { sectionRowIndex } } = event.target.closest("td");
  let to = null;
  for (let far = 1; !to && far < board.rows.length + board.rows[0].cells.length; far += 1) {
    to = board.rows[sectionRowIndex + down * far]?.cells[cellIndex + right * far]?.querySelector(".square"); // over gaps in the board
  }
  if (!to) return;
  event.preventDefault();
  entered(board, to);
  to.focus();
}
