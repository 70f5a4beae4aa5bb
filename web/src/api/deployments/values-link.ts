/** The longest link that browsers, chats and mails carry without harm. */
export const longestLink = 8000
const mostText = 128 * 1024

/**
 * The address that opens the install wizard of a version with these values filled in, or undefined when they are too
 * many for a link. They stand behind the #, so no server and no log ever sees them.
 */
export async function linkTo(catalogUrl: string, versionId: string, yaml: string): Promise<string | undefined> {
  const packed = await through(
    new TextEncoder().encode(yaml),
    new CompressionStream('deflate-raw'),
    Number.POSITIVE_INFINITY,
  )
  const values = btoa(String.fromCharCode(...packed.subarray(0, longestLink)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  const link = `${catalogUrl}?deploy=${encodeURIComponent(versionId)}#values=${values.replace(/=+$/, '')}`
  return packed.length > longestLink || link.length > longestLink ? undefined : link
}

/** The version and the values that an address carries; an address that carries none, or broken ones, has no values. */
export async function readLink(
  search: string,
  hash: string,
): Promise<{ versionId: string; values?: string } | undefined> {
  const versionId = new URLSearchParams(search).get('deploy')
  if (versionId === null || !/^[\w-]{1,64}$/.test(versionId)) return undefined
  const [, packed] = /^#values=([\w-]{1,8000})$/.exec(hash) ?? []
  if (packed === undefined) return { versionId }
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    )
    const text = await through(bytes, new DecompressionStream('deflate-raw'), mostText)
    return { versionId, values: new TextDecoder('utf-8', { fatal: true }).decode(text) }
  } catch {
    // Cut off on its way here; the wizard opens without them and says so.
    return { versionId, values: '' }
  }
}

/** Bytes that went through a stream; one that gives more than `most` is broken off. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: TransformStream<BufferSource, Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value)
    length += next.value.length
    if (length > most) {
      await reader.cancel()
      throw new Error('More came out than may.')
    }
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
