// The environment in which OpenCode finds its one configuration file and nothing else.

export const environment = (
  folder: string,
): Readonly<Record<string, string>> => {
  const home = `${folder}/home`;
  return {
    HOME: home,
    OPENCODE_CONFIG: `${folder}/opencode.json`,
    // What these two and OPENCODE_PERMISSION hold comes on top of our file: the caller's own must not.
    OPENCODE_CONFIG_CONTENT: "",
    OPENCODE_CONFIG_DIR: `${home}/.config/opencode`,
    OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    OPENCODE_PERMISSION: "",
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
  };
};
