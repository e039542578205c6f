// A game as WebAssembly, made by `ftk compile GAME --target wasm`: docs/wasm.md describes the module and its memory.
// Seats count from 0, as in the Python API. Numbers in memory are 64-bit; those of a game fit a JavaScript number.

const FORMAT = 2;
const PAGE = 65536;
const CELL = 8;

/** A game for one number of players and one set of rulings. */
export class Game {
  /** A game from its module (bytes, or a WebAssembly.Module) and its description (the parsed JSON). */
  static async load(module, description) {
    if (description.format !== FORMAT)
      throw new Error(`this wrapper reads format ${FORMAT}, not ${description.format}: compile the game again`);
    const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
    return new Game(await WebAssembly.instantiate(compiled, {}), description);
  }

  constructor(instance, description) {
    this.description = description;
    this.players = description.players;
    this.functions = instance.exports;
    this.memory = instance.exports.memory;
    // All states are kept outside and copied to one place for a call, so no memory has to be given back.
    this.desk = instance.exports.__heap_base.value;
    this.room(description.state.bytes);
  }

  /** Lets the memory have a number of bytes from the desk on. */
  room(bytes) {
    const missing = this.desk + bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
  }

  /** A new game. The same seed (a number or a BigInt) gives the same draws as on every engine. */
  newState(seed) {
    const state = new State(this, new Uint8Array(this.description.state.bytes));
    return state.run(() => this.functions.new_state(this.desk, BigInt(seed)));
  }

  /** Games `first` to `first + count - 1` of a seed by uniformly random players: columns of numbers, by name. */
  playGames(seed, first, count) {
    const { columns } = this.description.result;
    this.room(columns.length * count * CELL);
    this.functions.play_games(BigInt(seed), BigInt(first), BigInt(count), this.desk);
    const all = new BigInt64Array(this.memory.buffer, this.desk, columns.length * count);
    return Object.fromEntries(columns.map((name, i) => [name, all.slice(i * count, (i + 1) * count)]));
  }

  /** An action in the words of its option. */
  actionToString(action) {
    const option = this.option(action);
    if (!option) return String(action);
    let number = action - option.first;
    const digits = new Map();
    for (const pick of [...option.picks].reverse()) {
      digits.set(pick, number % pick.size);
      number = Math.floor(number / pick.size);
    }
    return option.picks.reduce(
      (says, pick) => says.replaceAll(`{${pick.name}}`, () => this.picked(pick, digits.get(pick))),
      option.says,
    );
  }

  /** The id of the rule that offers an action. */
  ruleOfAction(action) {
    return this.option(action)?.rule;
  }

  option(action) {
    return this.description.actions.options.findLast((option) => option.first <= action);
  }

  /** What is picked, in words: of a set the lowest element first, equal ones once with their number. */
  picked(pick, digit) {
    const words = this.description.actions.words[pick.words];
    if (!pick.ranks) return words[digit];
    const counts = new Map();
    const elements = pick.ranks.map((ranks) => {
      const element = ranks.findLastIndex((rank) => rank <= digit);
      digit -= ranks[element];
      return words[element];
    });
    for (const word of elements.reverse()) counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts].map(([word, count]) => (count === 1 ? word : `${word} x${count}`)).join(", ");
  }

  /** A card as its face shows it. */
  cardName(card) {
    return this.description.faces[this.description.cards[card]];
  }
}

/** A game in progress. It holds everything, hidden cards included. */
export class State {
  constructor(game, bytes, decided = new Map()) {
    this.game = game;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    this.decided = decided;
  }

  /** Calls a function of the module with this state in its memory. */
  run(call) {
    const { memory, desk } = this.game;
    new Uint8Array(memory.buffer).set(this.bytes, desk);
    call();
    this.bytes.set(new Uint8Array(memory.buffer, desk, this.bytes.length));
    return this;
  }

  cell(part, index = 0) {
    return Number(this.view.getBigInt64(this.game.description.state[part] + index * CELL, true));
  }

  get player() {
    return this.cell("player");
  }

  /** Whether the game is over. */
  isTerminal() {
    return this.player === this.game.description.numbers.over;
  }

  get together() {
    return this.player === this.game.description.numbers.together;
  }

  /** The seats that have still to decide: usually one, several in a secret choice, none at the end. */
  deciders() {
    if (this.isTerminal()) return [];
    if (!this.together) return [this.player];
    const seats = Array.from({ length: this.game.players }, (_, seat) => seat);
    return seats.filter((seat) => this.cell("asked", seat) > 0 && !this.decided.has(seat));
  }

  /** The legal actions of a seat, by default the one to act; none for a seat that has not to decide. */
  legalActions(seat = this.player) {
    if (!this.deciders().includes(seat)) return [];
    let first = 0;
    if (this.together) for (let before = 0; before < seat; before++) first += this.cell("asked", before);
    const count = this.together ? this.cell("asked", seat) : this.cell("count");
    return Array.from({ length: count }, (_, i) => this.cell("legal", first + i));
  }

  /** Carries out a legal action. In a secret choice, what follows waits for the last seat. */
  apply(action, seat = this.player) {
    if (!this.legalActions(seat).includes(action)) throw new RangeError(`action ${action} of seat ${seat} is not legal`);
    const { functions, desk } = this.game;
    if (!this.together) return this.run(() => functions.act(desk, BigInt(action)));
    this.decided.set(seat, action);
    return this.deciders().length ? this : this.reveal();
  }

  reveal() {
    const { functions, desk, description, players } = this.game;
    for (let seat = 0; seat < players; seat++)
      this.view.setBigInt64(description.state.chosen + seat * CELL, BigInt(this.decided.get(seat) ?? -1), true);
    this.decided.clear();
    return this.run(() => functions.reveal(desk));
  }

  /** Plays on to the end with uniformly random actions, drawn from a seed; hidden cards stay as they are. */
  rollout(seed) {
    this.decided.clear();
    return this.run(() => this.game.functions.rollout(this.game.desk, BigInt(seed)));
  }

  /** An independent copy. */
  clone() {
    return new State(this.game, this.bytes.slice(), new Map(this.decided));
  }

  /** What a stored value holds, by its name, such as `esteem[military]`: a number, or null if it is absent. */
  value(name) {
    const { values, numbers } = this.game.description;
    if (!(name in values)) throw new RangeError(`the game has no stored value ${name}`);
    const content = this.cell("registers", values[name].register);
    return content === numbers.absent ? null : content;
  }

  /** The cards in a zone by its name, such as `hand[1]`, bottom to top. */
  zone(name) {
    const { zones, state } = this.game.description;
    if (!(name in zones)) throw new RangeError(`the game has no zone ${name}`);
    const { number } = zones[name];
    const first = state.zones + number * state.room * 2;
    return Array.from({ length: this.cell("sizes", number) }, (_, i) => this.view.getInt16(first + i * 2, true));
  }

  /** The place of every seat, 1 for the winner; all 0 before the end. */
  ranking() {
    return this.seats(this.game.description.result.ranks);
  }

  /** The first criterion of the ranking for every seat, such as points; 0 if absent, and before the end. */
  scores() {
    const { absent, limit } = this.game.description.numbers;
    return this.seats(this.game.description.result.scores).map((n) => (n === absent || n === limit ? 0 : n));
  }

  /** What the game is worth to every seat: as its ranking says, else 1 shared by the winners. All 0 before the end. */
  returns() {
    const ranks = this.ranking();
    const registers = this.game.description.result.returns;
    if (registers !== null && ranks.some((rank) => rank > 0)) return registers.map((one) => this.cell("registers", one));
    const winners = ranks.filter((rank) => rank === 1).length;
    return ranks.map((rank) => (rank === 1 ? 1 / winners : 0));
  }

  seats(register) {
    const none = register === null || !this.isTerminal();
    return Array.from({ length: this.game.players }, (_, seat) => (none ? 0 : this.cell("registers", register + seat)));
  }
}
