// Two resources, a template of them, and subscriptions that are only acknowledged.
import { ResourceTemplate } from "@modelcontextprotocol/server";
import { PNG } from "./content.mjs";

export function addResources(server) {
  const add = (name, uri, content) =>
    server.registerResource(
      name,
      uri,
      { description: name, mimeType: content.mimeType },
      () => ({ contents: [{ uri, ...content }] }),
    );
  add("static text", "test://static-text", {
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  });
  add("static binary", "test://static-binary", {
    mimeType: "image/png",
    blob: PNG,
  });
  add("watched", "test://watched-resource", {
    mimeType: "text/plain",
    text: "Nothing ever changes here.",
  });
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "Data for an id", mimeType: "application/json" },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "application/json",
          text: JSON.stringify({
            id,
            templateTest: true,
            data: `Data for ID: ${id}`,
          }),
        },
      ],
    }),
  );
  for (const method of ["resources/subscribe", "resources/unsubscribe"])
    server.server.setRequestHandler(method, () => ({}));
}
