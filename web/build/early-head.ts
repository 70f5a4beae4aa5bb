import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const bootSource = fileURLToPath(new URL('../src/app/boot.js', import.meta.url))
const preloadedFonts = /inter-latin-wght-normal.*\.woff2$/

/**
 * Puts the boot script before everything else as a plain blocking file (the content policy forbids inline scripts,
 * and a module would run after the first paint) and asks for the text font at once.
 */
export function earlyHead(): Plugin {
  let base = '/'
  let building = false
  return {
    name: 'quayside-early-head',
    configResolved(config) {
      base = config.base
      building = config.command === 'build'
    },
    buildStart() {
      if (building) this.emitFile({ type: 'asset', name: 'boot.js', source: readFileSync(bootSource, 'utf8') })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {})
        const boot = building ? base + only(files, /boot-.*\.js$/) : `${base}src/app/boot.js`
        const tags: HtmlTagDescriptor[] = [{ tag: 'script', attrs: { src: boot }, injectTo: 'head-prepend' }]
        for (const name of files.filter((file) => preloadedFonts.test(file))) {
          const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `${base}${name}`, crossorigin: '' }
          tags.push({ tag: 'link', attrs, injectTo: 'head-prepend' })
        }
        return tags
      },
    },
  }
}

function only(names: string[], pattern: RegExp): string {
  const name = names.find((file) => pattern.test(file))
  if (name === undefined) throw new Error(`no built file matches ${pattern}`)
  return name
}
