/**
 * Settings of the browser tests. `make test` chooses the browser and a free port and passes both on:
 * JAX_TRACE_VIZ_BROWSER (an executable) and JAX_TRACE_VIZ_PORT. JAX_TRACE_VIZ_SPECS is the folder: `tests`, or `soak`
 * for `make soak`.
 */
const base = require('@jupyterlab/galata/lib/playwright-config');

const port = process.env.JAX_TRACE_VIZ_PORT ?? '8899';
const address = `http://127.0.0.1:${port}`;

module.exports = {
  ...base,
  testDir: process.env.JAX_TRACE_VIZ_SPECS ?? 'tests',
  outputDir: 'test-results',
  workers: 1,
  retries: 0,
  // A machine that does other things meanwhile is slow, not wrong.
  timeout: 180000,
  expect: { timeout: 20000 },
  reporter: [
    ['list'],
    [
      'junit',
      {
        outputFile: process.env.JAX_TRACE_VIZ_JUNIT ?? 'test-results/junit.xml'
      }
    ]
  ],
  use: {
    ...base.use,
    baseURL: address,
    // Otherwise what is not there is waited for until the whole test has run out of time.
    actionTimeout: 20000,
    // Playwright would record with an ffmpeg that it downloads by itself.
    video: 'off',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.JAX_TRACE_VIZ_BROWSER,
      args: [
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-quic',
        '--disable-sync'
      ]
    }
  },
  webServer: {
    command: [
      'jupyter lab --config jupyter_server_test_config.py',
      `--ServerApp.port=${port} --ServerApp.port_retries=0`
    ].join(' '),
    url: `${address}/lab`,
    timeout: 120000,
    reuseExistingServer: false
  }
};
