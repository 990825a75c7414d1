// Loaded into n8n ahead of its own program: when the process that started n8n is gone, the channel to it closes. Nobody reads
// n8n's output any more then, and its orderly end would wait for that: it ends at once.
// Plain JavaScript, because an older n8n runs on an older Node.js.
process.once('disconnect', () => process.exit(1));
