/** Settings of the measurements in a browser, see bench/graph.spec.ts. */
module.exports = {
  ...require('./playwright.config.js'),
  testDir: 'bench',
  timeout: 300000
};
