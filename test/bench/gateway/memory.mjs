// Loaded into the gateway before it starts: tells what memory it uses once what is not needed has been collected.
process.on("message", () => {
  globalThis.gc();
  globalThis.gc();
  process.send(process.memoryUsage());
});
process.channel.unref();
