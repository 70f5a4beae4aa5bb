import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'

/** The headless shell draws as the others do and takes a fifth less of the processor in the journeys. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of a Chromium on this machine, if there is one. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.CHROMIUM_BIN ?? '', ...paths, ...elsewhere].find((path) => path !== '' && isExecutable(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Finds a Chromium, or installs Debian's when we may. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const aptGet = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'inherit', env })
    aptGet('update')
    for (const browser of ['chromium-headless-shell', 'chromium']) {
      aptGet('install', '-y', '--no-install-recommends', browser, 'fonts-liberation')
      const installed = findChromium()
      if (installed) return installed
    }
  }
  throw new Obstacle(
    'The browser journeys need Chromium, and there is none here. Install it (Debian or Ubuntu: "sudo apt-get install chromium"; elsewhere Google Chrome will do), or set CHROMIUM_BIN to the path of one.',
  )
}
