// A fake server and a gateway before it, both gone after each test, and the clock set right.
import { afterEach, vi } from "vitest";
import { fakeServer, type FakeServer, type Respond } from "./fake-server.ts";
import {
  openGateway,
  type OpenGateway,
  type OpenOptions,
} from "./open-gateway.ts";

export interface World extends OpenGateway {
  readonly server: FakeServer;
}

const ends: (() => Promise<void>)[] = [];

/** To be called once in a file of tests. */
export const endWorlds = (): void => {
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const end of ends.splice(0).reverse()) await end();
  });
};

export async function openWorld(
  respond?: Respond,
  options: Partial<OpenOptions> = {},
): Promise<World> {
  const server = await fakeServer(respond);
  ends.push(() => server.close());
  const open = await openGateway({
    url: server.url,
    more: "    token: true\n",
    ...options,
    bounds: { closing: 100, ...options.bounds },
  });
  ends.push(() => open.gateway.close());
  return { server, ...open };
}
