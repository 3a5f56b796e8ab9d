// Takes the place of `re2js` in the built program: its tables are loaded with the first expression that a file has.
export const RE2JS = {
  compile: (text) => require("./re2.cjs").RE2JS.compile(text),
};
