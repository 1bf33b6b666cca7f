/**
 * Rolls whose dice have fallen elsewhere. Nobody rolls in Foundry at a Hantei table:
 * evaluating one here fails.
 */

export class RollTerm {
  constructor({ options = {} } = {}) {
    this.options = options;
    this._evaluated = false;
  }

  static fromData({ class: name, results, ...data }) {
    const Term = TERMS[name];
    if (!Term) throw new Error(`there is no term "${name}"`);
    const term = new Term({ ...data, results });
    term._evaluated = data.evaluated ?? true;
    return term;
  }

  get isDeterministic() {
    return true;
  }

  get flavor() {
    return this.options.flavor ?? "";
  }

  toJSON() {
    return { class: this.constructor.name, options: this.options, evaluated: this._evaluated };
  }
}

export class DiceTerm extends RollTerm {
  constructor({ number = 1, faces = 6, method, modifiers = [], results = [], options } = {}) {
    super({ options });
    for (const result of results) if (typeof result.result !== "number" || typeof result.active !== "boolean") throw new Error("a result is {result, active}");
    Object.assign(this, { number, faces, method, modifiers, results });
  }

  get total() {
    return this.results.filter(r => r.active).reduce((sum, r) => sum + r.result * (r.exploded ? 1 : 1), 0);
  }

  get values() {
    return this.results.filter(r => r.active).map(r => r.result);
  }

  get expression() {
    return `${this.number}${this.denomination}`;
  }

  get formula() {
    return this.expression + this.modifiers.join("");
  }

  get denomination() {
    return `d${this.faces}`;
  }

  get isDeterministic() {
    return false;
  }

  toJSON() {
    return { ...super.toJSON(), number: this.number, faces: this.faces, modifiers: this.modifiers, results: this.results };
  }
}

export class Die extends DiceTerm {
  static DENOMINATION = "d";
}

export class NumericTerm extends RollTerm {
  constructor({ number, options }) {
    super({ options });
    if (typeof number !== "number") throw new Error("a NumericTerm needs a number");
    this.number = number;
  }

  get total() {
    return this.number;
  }

  get expression() {
    return String(this.number);
  }

  get formula() {
    return this.expression;
  }

  toJSON() {
    return { ...super.toJSON(), number: this.number };
  }
}

export class OperatorTerm extends RollTerm {
  static OPERATORS = ["+", "-", "*", "/", "%"];

  constructor({ operator, options }) {
    super({ options });
    if (!OperatorTerm.OPERATORS.includes(operator)) throw new Error(`"${operator}" is no operator`);
    this.operator = operator;
  }

  get expression() {
    return ` ${this.operator} `;
  }

  get formula() {
    return this.expression;
  }

  get total() {
    return ` ${this.operator} `;
  }

  toJSON() {
    return { ...super.toJSON(), operator: this.operator };
  }
}

const TERMS = { RollTerm, DiceTerm, Die, NumericTerm, OperatorTerm };

export class Roll {
  constructor(formula = "", data = {}, options = {}) {
    Object.assign(this, { data, options, terms: [], _formula: formula, _evaluated: false, _total: undefined });
  }

  static fromData({ class: name = "Roll", formula, terms, total, evaluated = true, options = {} }) {
    if (name !== "Roll") throw new Error(`there is no roll class "${name}"`);
    const roll = new Roll(formula, {}, options);
    roll.terms = terms.map(t => (t instanceof RollTerm ? t : RollTerm.fromData(t)));
    roll._evaluated = evaluated;
    if (evaluated) roll._total = total ?? roll._evaluateTotal();
    return roll;
  }

  static fromJSON(json) {
    return this.fromData(JSON.parse(json));
  }

  static fromTerms(terms, options = {}) {
    if (!terms.every(t => t instanceof RollTerm)) throw new Error("Roll.fromTerms takes terms");
    const roll = new Roll(terms.map(t => t.formula).join(""), {}, options);
    roll.terms = terms;
    roll._evaluated = terms.every(t => t._evaluated);
    if (roll._evaluated) roll._total = roll._evaluateTotal();
    return roll;
  }

  static validate(formula) {
    return /^[\d\sd+\-*/%().kh]+$/i.test(formula);
  }

  /** What the terms amount to, from left to right, products first. */
  _evaluateTotal() {
    const parts = this.terms.map(t => (t instanceof OperatorTerm ? t.operator : t.total));
    for (let i = 1; i < parts.length;) {
      if (parts[i] === "*" || parts[i] === "/") parts.splice(i - 1, 3, parts[i] === "*" ? parts[i - 1] * parts[i + 1] : parts[i - 1] / parts[i + 1]);
      else i += 2;
    }
    return parts.reduce((sum, part, i) => (i === 0 ? Number(part) : i % 2 ? sum : parts[i - 1] === "-" ? sum - part : sum + part), 0);
  }

  get total() {
    return this._evaluated ? this._total : undefined;
  }

  get result() {
    return this.terms.map(t => t.total).join("");
  }

  get formula() {
    return this._formula;
  }

  get dice() {
    return this.terms.filter(t => t instanceof DiceTerm);
  }

  async evaluate() {
    throw new Error("a module of Hantei must not roll: the server does");
  }

  async roll() {
    return this.evaluate();
  }

  async render({ flavor } = {}) {
    const faces = this.dice.flatMap(d => d.results.map(r => `<li class="roll die d${d.faces}${r.active ? "" : " discarded"}">${r.result}</li>`)).join("");
    return `<div class="dice-roll"><div class="dice-result">${flavor ? `<div class="dice-flavor">${flavor}</div>` : ""}<div class="dice-formula">${this.formula}</div>
      <div class="dice-tooltip"><ol class="dice-rolls">${faces}</ol></div><h4 class="dice-total">${this.total}</h4></div></div>`;
  }

  async getTooltip() {
    return `<ol class="dice-rolls">${this.dice.flatMap(d => d.results.map(r => `<li class="roll die d${d.faces}">${r.result}</li>`)).join("")}</ol>`;
  }

  async toMessage(data = {}, { create = true } = {}) {
    const message = { ...data, rolls: [this] };
    return create ? ChatMessage.create(message) : message;
  }

  toJSON() {
    return { class: "Roll", options: this.options, dice: [], formula: this._formula, terms: this.terms.map(t => t.toJSON()), total: this._total, evaluated: this._evaluated };
  }
}
