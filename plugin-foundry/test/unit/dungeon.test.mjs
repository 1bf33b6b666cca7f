import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Chart } from "../../scripts/dungeon/chart.mjs";
import { planOf } from "../../scripts/dungeon/plan.mjs";
import { blocksOf, gapsOf, linesOf } from "../../scripts/dungeon/walls.mjs";

const at = (x, y, floor = 1) => ({ x, y, floor });
const square = (x, y, terrain = "TERRAIN_PASSAGE", of = "") => ({ of, square: at(x, y), terrain });
const mark = (number, kind, where, more = {}) => ({ of: "", number, square: where, kind, detail: "MARK_DETAIL_DATA", facts: [], ...more });
const KINDS = [{ kind: "stairs", name: "Stairs", icon: "stairs" }, { kind: "item", name: "Treasure", icon: "chest" }];
const chartOf = view => {
  const chart = new Chart();
  chart.read(view);
  return chart;
};
const cells = (chart, floor = 1) => planOf(chart, floor, KINDS).cells.map(({ x, y, wall, told }) => `${x},${y}${wall ? " wall" : ""}${told ? "" : " untold"}`);

describe("the chart", () => {
  test("squares come and go as the stream says, of whomever they are", () => {
    const chart = chartOf({ squares: [square(0, 0)] });
    assert.equal(chart.apply({ dungeonSquare: { after: square(1, 0) } }), true);
    assert.equal(chart.apply({ dungeonSquare: { after: square(1, 0, "TERRAIN_WALL") } }), true, "what it says is so afterwards");
    assert.deepEqual(cells(chart), ["0,0", "1,0 wall"]);
    chart.apply({ dungeonSquare: { after: square(0, 0, "TERRAIN_PASSAGE", "a") } });
    chart.apply({ dungeonSquare: { removed: true, after: square(0, 0) } });
    assert.deepEqual(cells(chart), ["0,0", "1,0 wall"], "a still knows it");
    assert.equal(chart.apply({ position: { character: "a" } }), false);
  });

  test("the dungeon comes and goes as a whole", () => {
    const chart = chartOf(undefined);
    assert.equal(chart.begun, false);
    chart.apply({ dungeon: { after: { floors: [{ number: 2, rows: ["#."] }], squares: [square(0, 0)], marks: [mark(1, "item", at(0, 0))] } } });
    assert.deepEqual(chart.numbers, [1, 2]);
    assert.equal(planOf(chart, 1, KINDS).notes[0].text, "Treasure");
    chart.apply({ dungeon: { removed: true } });
    assert.equal(chart.begun, false);
  });

  test("the words of a mark hold until something else is known of it", () => {
    const chart = chartOf({ marks: [{ mark: mark(1, "item", at(0, 0)), text: { text: "40 macca" } }] });
    const text = () => planOf(chart, 1, KINDS).notes[0].text;
    chart.apply({ dungeonMark: { after: mark(1, "item", at(0, 0)) } });
    assert.equal(text(), "40 macca");
    chart.apply({ dungeonMark: { after: mark(1, "item", at(0, 0), { facts: [{ key: "macca", number: 20 }] }) } });
    assert.equal(text(), "Treasure");
    chart.apply({ dungeonMark: { removed: true, after: { number: 1 } } });
    assert.deepEqual(planOf(chart, 1, KINDS).notes, []);
  });
});

describe("the plan", () => {
  const feature = (id, kind, where, more = {}) => ({ feature: { id, kind, square: where, ...more }, text: { text: `${kind} ${id}` } });

  test("the GM's has the whole floor, and what no player knows marked", () => {
    const chart = chartOf({ floors: [{ number: 1, rows: ["#.", ".."] }, { number: 2, rows: ["."] }], squares: [square(0, 1), square(-1, 1, "TERRAIN_WALL")] });
    assert.deepEqual(cells(chart), ["0,0 wall untold", "1,0 untold", "-1,1 wall", "0,1", "1,1 untold"]);
    assert.deepEqual(cells(chart, 2), ["0,0 untold"]);
    assert.deepEqual(cells(chart, 3), []);
  });

  test("a thing that the GM sees is drawn once, with those who know it", () => {
    const chart = chartOf({
      features: [
        feature(1, "stairs", at(0, 0), { known: [{ of: "a", number: 1 }, { of: "b", number: 3 }] }), feature(2, "item", at(1, 0), { hidden: true }),
        feature(3, "item", at(0, 0), { gone: true }), feature(4, "item", at(0, 0, 2)),
      ],
      marks: [{ mark: mark(1, "stairs", at(0, 0), { of: "a" }) }, { mark: mark(3, "stairs", at(0, 0), { of: "b" }) }],
    });
    assert.deepEqual(planOf(chart, 1, KINDS).notes, [
      { x: 0, y: 0, icon: "stairs", text: "stairs 1", told: true, hidden: false, of: ["a", "b"] },
      { x: 1, y: 0, icon: "chest", text: "item 2", told: false, hidden: true, of: [] },
    ]);
  });

  test("what two characters of one seat know is drawn once", () => {
    const stairs = of => ({ mark: mark(1, "stairs", at(0, 0), { of }), text: { text: "Stairs, up" } });
    assert.deepEqual(planOf(chartOf({ marks: [stairs("a"), stairs("b")] }), 1, KINDS).notes.map(n => n.of), [["a", "b"]]);
  });
});

describe("walls of a floor", () => {
  const plan = (...rows) => planOf(chartOf({ floors: [{ number: 1, rows }] }), 1, []).cells;
  const sorted = lines => lines.map(line => line.join(" ")).sort();

  test("go round the passages, each as long as it is straight", () => {
    assert.deepEqual(sorted(linesOf(plan("..", "#."), true)), ["0 0 0 1", "0 0 2 0", "0 1 1 1", "1 1 1 2", "1 2 2 2", "2 0 2 2"]);
  });

  test("leave open where nobody knows what comes", () => {
    assert.deepEqual(sorted(linesOf(plan(".#"), false)), ["1 0 1 1"]);
  });

  test("what nobody knows between them is dark", () => {
    assert.deepEqual(gapsOf([{ x: -1, y: 0 }, { x: 1, y: 1 }]), { box: { x: -1, y: 0, width: 3, height: 2 }, gaps: [{ x: 0, y: 0, width: 2, height: 1 }, { x: -1, y: 1, width: 2, height: 1 }] });
  });

  test("squares are joined to rectangles", () => {
    assert.deepEqual(blocksOf(plan("..", "..", ".#").filter(cell => !cell.wall)), [{ x: 0, y: 0, width: 2, height: 2 }, { x: 0, y: 2, width: 1, height: 1 }]);
  });
});
