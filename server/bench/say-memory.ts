// Loaded before a command that is measured: at its end the process says how much memory it had at most, and what it took of processors.
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(
    `peak memory: ${(maxRSS / 1_024).toFixed(1)} MB\nprocessors: ${((userCPUTime + systemCPUTime) / 1e6).toFixed(3)} s\n`,
  );
});
