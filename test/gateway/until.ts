// Waiting for something that comes by itself, and failing when it does not.

export async function until(
  what: () => boolean,
  milliseconds = 3_000,
): Promise<void> {
  for (let waited = 0; !what(); waited += 5) {
    if (waited > milliseconds) throw new Error("it did not come to that");
    await pause(5);
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
