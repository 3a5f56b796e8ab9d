// Waiting for something, but not longer than that.

/** Whether it came to its end in that time. */
export async function within(
  end: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const found = await Promise.race([end.then(() => true), late]);
  clearTimeout(timer);
  return found;
}
