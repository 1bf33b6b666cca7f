/**
 * How a player explores a dungeon who knows the view of the own seat and nothing else:
 * to the nearest place that is not explored yet, on by the stairs once they are found,
 * and outside at the end.
 */

const key = ({ x = 0, y = 0, floor = 0 }) => `${x},${y},${floor}`;

/** The steps by the words for directions. */
const STEPS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };

export class Explorer {
  #first;
  #searched = new Set();

  /**
   * @param {string} own  The character.
   * @param {string[]} first  In which order it looks at directions: by these a party parts.
   */
  constructor(own, first) {
    this.own = own;
    this.#first = first;
  }

  #known(view) {
    const terrain = new Map((view.dungeon?.squares ?? []).map(({ square, terrain }) => [key(square), terrain]));
    const marks = new Map();
    for (const { mark } of view.dungeon?.marks ?? []) marks.set(key(mark.square), [...marks.get(key(mark.square)) ?? [], mark]);
    return { at: view.characters.find(c => c.id === this.own).position, terrain, marks };
  }

  /** The squares beside one, by the direction. */
  #beside({ x = 0, y = 0, floor = 0 }) {
    return this.#first.map(word => [word, { x: x + STEPS[word][0], y: y + STEPS[word][1], floor }]);
  }

  /** The first step of a shortest way to a square that is wanted; "here" if it is this one, "" if there is no way. */
  #path({ at, terrain, marks }, wanted) {
    const seen = new Set([key(at)]);
    // Where an enemy is known to be one goes last.
    const queues = [[{ at, first: "here" }], []];
    for (let next = queues[0].shift(); next; next = queues[0].shift() ?? queues[1].shift()) {
      if (wanted(next.at)) return next.first;
      for (const [word, to] of this.#beside(next.at)) {
        if (seen.has(key(to)) || terrain.get(key(to)) !== "TERRAIN_PASSAGE") continue;
        seen.add(key(to));
        const enemy = marks.get(key(to))?.some(mark => mark.kind === "enemy");
        queues[enemy ? 1 : 0].push({ at: to, first: next.first === "here" ? word : next.first });
      }
    }
    return "";
  }

  /** Where to go: a direction, "on" to take the stairs to the next floor, "out" to leave, or "" for nowhere. */
  aim(view) {
    const known = this.#known(view);
    const { terrain, marks } = known;
    const leads = (square, outside) => marks.get(key(square))?.some(({ kind, facts = [] }) => {
      const fact = name => facts.find(fact => fact.key === name);
      const out = fact("leads")?.words?.[0] === "outside";
      return kind === "stairs" && out === outside && (out || (fact("toFloor") ?? fact("to_floor"))?.number > (square.floor ?? 0));
    });
    const on = this.#path(known, square => leads(square, false));
    if (on) return on === "here" ? "on" : on;
    const unseen = this.#path(known, square => this.#beside(square).some(([, to]) => !terrain.has(key(to))));
    if (unseen) return unseen;
    const out = this.#path(known, square => leads(square, true));
    return out === "here" ? "out" : out;
  }

  /** What to do in the own turn: to go in a direction, or an offer to take. */
  turn(view) {
    const offers = view.offers.filter(offer => offer.actor === this.own && offer.possible);
    const offer = name => offers.find(({ action }) => action.persona?.[name]);
    const aim = this.aim(view);
    const leave = aim === "on" ? offer("changeFloor") : aim === "out" ? offer("escape") : undefined;
    if (leave) return { offer: leave };
    const { at, marks } = this.#known(view);
    const search = offer("search");
    const takes = marks.get(key(at))?.some(({ kind }) => kind === "item");
    if (search && takes && !this.#searched.has(key(at))) {
      this.#searched.add(key(at));
      return { offer: search };
    }
    const move = offers.find(({ action }) => action.persona?.move && !action.persona.move.viaWarp);
    if (move && aim in STEPS) return { move: aim, offer: move };
    return { offer: offer("endTurn") };
  }

  /** Which choice to take of a prompt. */
  answer(view, prompt) {
    const possible = prompt.choices.filter(choice => choice.possible).map(choice => choice.id);
    const aim = this.aim(view);
    const wish = {
      simultaneous_move: aim, floor_change_consent: aim === "on" || aim === "out" ? "yes" : "no", pickup_choice: "all", disarm_choice: "all",
    }[prompt.name];
    return possible.includes(wish) ? wish : prompt.defaultChoice;
  }
}
