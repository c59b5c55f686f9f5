import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    // A busy machine takes three times as long as a quiet one.
    testTimeout: 30_000,
    restoreMocks: true
  }
});
