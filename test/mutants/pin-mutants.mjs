// Small wrongs in how what a server offers is compared with what was pinned.
const PINS = "src/enforce/pins.ts";
const LIST = "src/enforce/filter-tools.ts";
const FORM = "src/enforce/canonical-json.ts";
const DECIDE = "src/policy/decide.ts";

export const pinMutants = [
  {
    name: "pins: a changed definition counts as the pinned one",
    file: PINS,
    find: ': pinned === hash\n            ? "same"',
    replace: ': pinned !== ""\n            ? "same"',
  },
  {
    name: "pins: the mildest of several holds",
    file: PINS,
    find: "RANK[state] > RANK[worst.state]",
    replace: "RANK[state] < RANK[worst.state]",
  },
  {
    name: "pins: a tool that was not listed yet is called",
    file: PINS,
    find: '? "unseen"',
    replace: '? "same"',
  },
  {
    name: "pins: a tool that nobody pinned is called",
    file: DECIDE,
    find: 'pin === undefined || pin.state === "same"',
    replace: 'pin === undefined || ["same", "new"].includes(pin.state)',
  },
  {
    name: "pins: a withheld definition leaves the one before in force",
    file: LIST,
    find: "if (name !== null && pins.length > 0) road.tools.learn(name, UNUSABLE);",
    replace: "",
  },
  {
    name: "pins: members are hashed in the order in which they stand",
    file: FORM,
    find: ".sort((a, b) => (a.name < b.name ? -1 : 1))",
    replace: "",
  },
  {
    name: "pins: numbers that a double rounds fall together",
    file: FORM,
    find: "exact === decimal(printed) ? printed : exact",
    replace: "exact === decimal(printed) ? printed : printed",
  },
  {
    name: "pins: changed instructions are shown",
    file: PINS,
    find: "instructions === hash",
    replace: "instructions !== null || hash === null",
  },
];
