// Loaded into every child before its own code: when the start is killed, its children end too instead of keeping ports and data. A child's own
// children inherit this line; their channel belongs to whoever started them (`next dev` waits for its first message on it).
if (process.channel && process.env.CLEARANCE_STARTED_BY === String(process.ppid)) {
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
