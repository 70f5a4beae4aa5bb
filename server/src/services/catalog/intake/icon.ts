import { intakeLimits } from './limits.ts'
import type { Files } from './read-archive.ts'
import { refuse } from './refuse.ts'
import { safeSvg } from './safe-svg.ts'

export interface Icon {
  iconEmbedded: string | null
  iconUri: string | null
}

const fileTypes = { 'icon.svg': 'image/svg+xml', 'icon.png': 'image/png', 'icon.jpg': 'image/jpeg' } as const

/**
 * The icon of a chart: one in the package is carried along as a data URI, an address is only passed on, never fetched.
 * An icon that cannot be shown safely is refused rather than shown.
 */
export function iconOf(files: Files, icon: string | undefined): Icon {
  if (icon?.startsWith('data:')) return { iconEmbedded: checkedDataUri(icon), iconUri: null }
  for (const [name, type] of Object.entries(fileTypes)) {
    const bytes = files.get(name)
    if (bytes) return { iconEmbedded: embedded(bytes, type, name), iconUri: null }
  }
  const file = icon && !/^[a-z][a-z0-9+.-]*:/i.test(icon) ? files.get(icon.replace(/^\.\//, '')) : undefined
  const type = icon && file ? typeOf(icon) : undefined
  if (icon && file && type) return { iconEmbedded: embedded(file, type, icon), iconUri: null }
  return { iconEmbedded: null, iconUri: httpsAddress(icon) }
}

function typeOf(name: string): string | undefined {
  const extension = /\.(svg|png|jpe?g)$/i.exec(name)?.[1]?.toLowerCase()
  return extension === 'svg' ? 'image/svg+xml' : extension && (extension === 'png' ? 'image/png' : 'image/jpeg')
}

/** An address that browsers may load: https only. */
function httpsAddress(address: string | undefined): string | null {
  const url = address && address.length <= 2000 && URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null
}

function checkedDataUri(uri: string): string {
  const [, type, encoding, data] =
    /^data:(image\/(?:svg\+xml|png|jpeg|gif|webp))(?:;[a-z=0-9-]+)*?(;base64)?,(.*)$/is.exec(uri) ?? []
  if (!type || data === undefined) throw refuse('icon is a data URI of something that is not an image.', 'Chart.yaml')
  const bytes = encoding ? Buffer.from(data, 'base64') : Buffer.from(decoded(data))
  return embedded(bytes, type.toLowerCase(), 'Chart.yaml')
}

function decoded(data: string): string {
  try {
    return decodeURIComponent(data)
  } catch {
    throw refuse('icon is a data URI that cannot be read.', 'Chart.yaml')
  }
}

const signatures: Readonly<Record<string, readonly number[]>> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/gif': [0x47, 0x49, 0x46, 0x38],
  'image/webp': [0x52, 0x49, 0x46, 0x46],
}

function embedded(bytes: Buffer, type: string, file: string): string {
  if (bytes.length > intakeLimits.iconBytes)
    throw refuse(`The icon is larger than ${intakeLimits.iconBytes / 1024} KiB.`, file)
  const signature = signatures[type]
  if (signature && !signature.every((byte, at) => bytes[at] === byte)) throw refuse(`The icon is not ${type}.`, file)
  const safe = signature ? bytes : rebuilt(bytes, file)
  return `data:${type};base64,${safe.toString('base64')}`
}

function rebuilt(bytes: Buffer, file: string): Buffer {
  const safe = safeSvg(bytes.toString('utf8'))
  if ('refused' in safe) throw refuse(safe.refused, file)
  return Buffer.from(safe.svg)
}

/** A picture from elsewhere as a data URI, its type read from its content; undefined when it is none that is shown. */
export function pictureOf(bytes: Buffer): string | undefined {
  if (bytes.length === 0 || bytes.length > intakeLimits.iconBytes) return undefined
  const [type] = Object.entries(signatures).find(([, start]) => start.every((byte, at) => bytes[at] === byte)) ?? []
  if (type) return `data:${type};base64,${bytes.toString('base64')}`
  const safe = safeSvg(bytes.toString('utf8'))
  return 'svg' in safe ? `data:image/svg+xml;base64,${Buffer.from(safe.svg).toString('base64')}` : undefined
}
