import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractCalls } from './build/contract-calls.ts'
import { earlyHead } from './build/early-head.ts'
import { preCompress } from './build/pre-compress.ts'

const backend = process.env.QUAYSIDE_URL ?? 'http://localhost:8080'
const services = [
  'portal-api',
  'catalog',
  'cluster',
  'deployment',
  'iam',
  'log',
  'auth',
  'dashboard',
  'metrics-dashboard',
  'collect',
]

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/en/',
  plugins: [react(), contractCalls(), earlyHead(), preCompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file for the first page: it is read whole in any case, and compresses better than in pieces.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  server: {
    port: 5173,
    proxy: {
      '/en/config.json': backend,
      ...Object.fromEntries(services.map((name) => [`/${name}`, { target: backend, ws: true, xfwd: true }])),
    },
  },
})
