import { gunzipSync, gzipSync } from 'node:zlib'

/** Parts of a revision as Helm keeps it in a Secret. */
interface StoredRelease {
  version: number
  info: { status: string; description: string; last_deployed: string }
  manifest: string
  hooks?: object[]
}

/** The revision in the data of its Secret. */
export function unpackRelease(data: Readonly<Record<string, string>> | undefined): StoredRelease {
  const packed = Buffer.from(Buffer.from(data?.release ?? '', 'base64').toString(), 'base64')
  return JSON.parse(gunzipSync(packed).toString())
}

/** The data of a Secret that holds this revision. */
export function packRelease(release: StoredRelease): Record<string, string> {
  const text = gzipSync(JSON.stringify(release)).toString('base64')
  return { release: Buffer.from(text).toString('base64') }
}
