// The pieces that tools, prompts and resources answer with, and schemas as JSON says them.
import { fromJsonSchema } from "@modelcontextprotocol/server";

export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
export const WAV =
  "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

export const text = (value) => ({ type: "text", text: value });
export const image = { type: "image", data: PNG, mimeType: "image/png" };
export const audio = { type: "audio", data: WAV, mimeType: "audio/wav" };
export const resource = (uri, mimeType, value) => ({
  type: "resource",
  resource: { uri, mimeType, text: value },
});

export const result = (...content) => ({ content });

const fields = (properties) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** The schema of arguments of which none may be missing. */
export const takes = (properties) => fromJsonSchema(fields(properties));

/** A form for a person. */
export const form = fields;
