import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

const bootSource = fileURLToPath(new URL('./src/app/boot.js', import.meta.url))
const preloadedFonts = /inter-latin-wght-normal.*\.woff2$/

/**
 * Puts the boot script before everything else as a plain blocking file (the content policy forbids inline scripts,
 * and a module would run after the first paint) and asks for the text font at once.
 */
function earlyHead(): Plugin {
  let base = '/'
  let building = false
  let bootFile = ''
  return {
    name: 'quayside-early-head',
    configResolved(config) {
      base = config.base
      building = config.command === 'build'
    },
    buildStart() {
      if (!building) return
      bootFile = this.emitFile({ type: 'asset', name: 'boot.js', source: readFileSync(bootSource, 'utf8') })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const boot = building ? `${base}${bundleName(bundle, /boot-.*\.js$/)}` : `${base}src/app/boot.js`
        const tags: HtmlTagDescriptor[] = [{ tag: 'script', attrs: { src: boot }, injectTo: 'head-prepend' }]
        for (const name of Object.keys(bundle ?? {}).filter((file) => preloadedFonts.test(file))) {
          const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `${base}${name}`, crossorigin: '' }
          tags.push({ tag: 'link', attrs, injectTo: 'head-prepend' })
        }
        return tags
      },
    },
    generateBundle() {
      if (bootFile === '') throw new Error('the boot script was not emitted')
    },
  }
}

function bundleName(bundle: Record<string, unknown> | undefined, pattern: RegExp): string {
  const name = Object.keys(bundle ?? {}).find((file) => pattern.test(file))
  if (name === undefined) throw new Error(`no built file matches ${pattern}`)
  return name
}

const backend = process.env.QUAYSIDE_URL ?? 'http://127.0.0.1:8080'
const services = ['portal-api', 'catalog', 'cluster', 'deployment', 'iam', 'auth', 'dashboard', 'collect']

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/en/',
  plugins: [react(), earlyHead()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    proxy: {
      '/en/config.json': backend,
      ...Object.fromEntries(services.map((name) => [`/${name}`, { target: backend, ws: true, xfwd: true }])),
    },
  },
})
