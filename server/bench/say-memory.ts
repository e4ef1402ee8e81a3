// Loaded before a command that is measured: at its end the process says how much memory it had at most.
process.on('exit', () => process.stderr.write(`peak memory: ${(process.resourceUsage().maxRSS / 1_024).toFixed(1)} MB\n`));
