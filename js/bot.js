// A player for js/game.js: flat Monte Carlo. It reads the whole state, so only games in which nothing is hidden are fair.
const SLICE = 10; // milliseconds until the page may do something else

/** The action that does best for a seat in random playouts, shared by UCB1, in `time` milliseconds. */
export async function think(state, seat, time = 200) {
  const tried = state.legalActions(seat).map((action) => ({ action, games: 0, won: 0 }));
  if (tried.length === 1) return tried[0].action;
  const until = performance.now() + time;
  for (let games = 1, pause = 0, now = performance.now(); now < until; games += 1, now = performance.now()) {
    if (now >= pause) {
      if (pause) await new Promise((resolve) => { setTimeout(resolve); });
      pause = performance.now() + SLICE;
    }
    const worth = ({ games: own, won }) => (own ? won / own + Math.sqrt((2 * Math.log(games)) / own) : Infinity);
    const one = best(tried, worth);
    one.games += 1;
    one.won += reward(playout(state, seat, one.action), seat);
  }
  return best(tried, ({ games, won }) => games + (games && won / games)).action;
}

/** A game from here on at random, in which a seat begins with an action. Draws to come and secret choices of others are drawn anew. */
function playout(state, seat, action) {
  const copy = state.clone();
  copy.decided.clear();
  copy.view.setBigInt64(state.game.description.state.random, seed(), true);
  const others = copy.deciders().filter((one) => one !== seat);
  copy.apply(action, seat);
  for (const one of others) copy.apply(any(copy.legalActions(one)), one);
  return copy.isTerminal() ? copy : copy.rollout(seed());
}

/** The share of the others that a seat is before, where equal ones count a half. */
function reward(state, seat) {
  const places = state.ranking();
  const others = places.filter((_, one) => one !== seat);
  return others.reduce((sum, place) => sum + (Math.sign(place - places[seat]) + 1) / 2, 0) / others.length;
}

const best = (list, worth) => list.reduce((one, other) => (worth(other) > worth(one) ? other : one));
const any = (list) => list[Math.floor(Math.random() * list.length)];
const seed = () => BigInt(Math.floor(Math.random() * 2 ** 52));
