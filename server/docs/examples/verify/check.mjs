// Checks the dice of a stream that a seat has saved: node check.mjs watch.ndjson
// It follows server/docs/verify.md and needs nothing of Hantei.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32BE(n); return b; };
const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64BE(BigInt(n)); return b; };
const text = (s) => { const b = Buffer.from(s); return Buffer.concat([u32(b.length), b]); }; // with its length in bytes
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("hex");
const hex = (s) => Buffer.from(s ?? "", "hex");

const commitment = (stream, e, seed) => sha256(Buffer.from("hantei/commit/v1"), text(stream), text(e.table), u64(e.epoch), hex(seed));
const mixOf = (shares) => shares.length === 0 ? "" :
  sha256(Buffer.from("hantei/mix/v1"), ...shares.flatMap((s) => [text(s.seatId), text(s.share)]));

function face(stream, e, seed, number, sides) {
  const mix = hex(e.clientMix);
  for (let attempt = 0; ; attempt++) {
    const word = createHmac("sha256", hex(seed)).update(Buffer.concat([
      Buffer.from("hantei/die/v2"), text(stream), text(e.table), u64(e.epoch), u32(mix.length), mix, u64(number), u32(attempt),
    ])).digest().readUInt32BE(0);
    if (word < Math.floor(2 ** 32 / sides) * sides) return (word % sides) + 1;
  }
}

function fail(what) {
  console.log("FAULT: " + what);
  process.exit(1);
}

// An event that comes twice counts once, as it was told last.
const events = new Map();
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  if (line.trim() === "") continue;
  let frame;
  try { frame = JSON.parse(line); } catch { console.log("a line is not whole and was left out"); continue; }
  for (const ev of (frame.result ?? frame).events ?? []) events.set(ev.eventId, ev);
}

const epochs = new Map(), waiting = [];
let given = 0, unplaced = 0, checked = 0;
for (const ev of events.values()) {
  for (const d of ev.dice ?? []) {
    if (d.given) { given += d.faces.length; continue; }
    const stream = { DICE_STREAM_OPEN: "open", DICE_STREAM_SECRET: "secret" }[d.stream];
    if (!stream) { unplaced += d.faces.length; continue; } // a secret die whose seed is not revealed
    const e = epochs.get(d.epoch) ?? fail(`nothing was told of epoch ${d.epoch}`);
    if (stream === "open" && d.number > e.next) fail(`open dice from ${e.next} to ${d.number - 1} of epoch ${d.epoch} are missing`);
    if (stream === "open") e.next = Math.max(e.next, d.number + d.faces.length);
    waiting.push({ ...d, stream });
  }
  for (const after of (ev.changes ?? []).map((c) => c.diceEpoch?.after).filter(Boolean)) {
    const e = epochs.get(after.epoch) ?? { next: 0, ...after, state: "DICE_EPOCH_STATE_COMMITTED", shares: [] };
    const shares = after.shares ?? [], was = e.shares ?? [];
    for (const key of ["table", "openCommitment", "secretCommitment"]) if (e[key] !== after[key]) fail(`${key} of epoch ${after.epoch} was changed`);
    const goesOn = e.state === "DICE_EPOCH_STATE_COMMITTED" && after.state === e.state;
    if (!goesOn && JSON.stringify(was) !== JSON.stringify(shares)) fail(`shares of epoch ${after.epoch} came too late`);
    if (after.state === "DICE_EPOCH_STATE_RUNNING" && (after.clientMix ?? "") !== mixOf(shares)) fail(`the mix of epoch ${after.epoch} is wrong`);
    if (after.openSeed && commitment("open", after, after.openSeed) !== after.openCommitment) fail(`the open seed of epoch ${after.epoch} was not committed`);
    if (after.secretSeed && commitment("secret", after, after.secretSeed) !== after.secretCommitment) fail(`the secret seed of epoch ${after.epoch} was not committed`);
    if (after.state === "DICE_EPOCH_STATE_ENDED" && (after.openDice ?? 0) !== e.next) fail(`epoch ${after.epoch} had ${after.openDice} open dice, not ${e.next}`);
    epochs.set(after.epoch, { ...after, next: e.next });
  }
}
for (const d of waiting) {
  const e = epochs.get(d.epoch), seed = d.stream === "open" ? e.openSeed : e.secretSeed;
  if (!seed) { unplaced += d.faces.length; continue; }
  d.faces.forEach((shown, i) => {
    if (face(d.stream, e, seed, d.number + i, d.sides) !== shown) fail(`${d.stream} die ${d.number + i} of epoch ${d.epoch} shows ${shown}`);
    checked++;
  });
}
console.log(`${checked} dice checked, ${unplaced} wait for a seed, ${given} thrown by hand: no fault`);
