/** Settings of the measurements in a browser, see bench/graph.spec.ts. */
const base = require('./playwright.config.js');

module.exports = {
  ...base,
  testDir: 'bench',
  timeout: 300000,
  // For a trace the page's main thread copies the page before and after each step.
  use: { ...base.use, trace: 'off' }
};
