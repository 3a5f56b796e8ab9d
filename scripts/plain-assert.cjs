// Takes the place of `node:assert` under undici in the built program: Node's own looks for the words of a failed check in
// the program's source, which takes seconds in a minified file, and a hostile server can make checks fail.
module.exports = (value, message = "a check failed") => {
  if (!value) throw message instanceof Error ? message : new Error(message);
};
