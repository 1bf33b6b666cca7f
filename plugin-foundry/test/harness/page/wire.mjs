/**
 * The page's connection with the world. Operations are applied in the world's order,
 * whoever asked for them; who asked is answered when it has been applied here too.
 */

/** Tells one tab of a user from another. */
export const session = crypto.randomUUID();

let userId = "";
let applied = 0;
/** @type {{sequence: number, go: () => void}[]} */
let waiting = [];
/** @type {(message: any) => Promise<void> | void} */
let receive = () => {};
/** What came of this tab's own operations, until it is asked for. @type {Map<number, any>} */
const results = new Map();

async function post(path, message) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify({ user: userId, session, ...message }), headers: { "Content-Type": "application/json" } });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** Reads what the world is now. */
export async function read(user) {
  userId = user;
  const data = await (await fetch(`/world/data?user=${user}`)).json();
  applied = data.sequence;
  return data;
}

/** Listens from there on. Resolves when the stream is open. */
export function listen(onMessage) {
  receive = onMessage;
  return new Promise(resolve => {
    const source = new EventSource(`/world/stream?user=${userId}&session=${session}&sequence=${applied}`);
    source.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.open) return resolve(source);
      if (message.operation) {
        if (message.operation.sequence <= applied) return; // read with the world
        results.set(message.operation.sequence, receive(message));
        applied = message.operation.sequence;
        waiting = waiting.filter(w => w.sequence > applied || w.go());
      } else {
        receive(message);
      }
    };
  });
}

/** Asks for an operation; resolves with its documents when it has been applied here. */
export async function operate(operation) {
  const { sequence } = await post("/world/operation", { operation });
  if (sequence > applied) await new Promise(go => waiting.push({ sequence, go }));
  const result = results.get(sequence);
  results.delete(sequence);
  return result;
}

export const emit = (event, data) => post("/world/socket", { event, data });
export const query = (to, name, data, timeout) => post("/world/query", { to, name, data, timeout });
export const reply = (id, answer) => post("/world/reply", { id, ...answer });
