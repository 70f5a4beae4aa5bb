import { VERSION } from '../version.ts'

const TITLE = 'Kubernetes'

/** Clients that know v3 read that; the others are told that there is nothing to check against here. */
export const GROUP_VERSIONS_V2 = {
  swagger: '2.0',
  info: { title: TITLE, version: VERSION.gitVersion },
  paths: {},
  definitions: {},
}

/** The one form in which stock clients ask for v2, which they do for every kind that v3 does not have. */
export const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
/** How the answer is labelled: `@` must not stand in a content type, and clients refuse one that has it. */
export const PROTOBUF_V2_ANSWER = PROTOBUF_V2.replace('@', '.')

/** A length-delimited field; no length here needs a second byte. */
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
}

/** The same document as the message `openapi.v2.Document`. */
export const DOCUMENT_V2 = Buffer.concat([
  field(1, '2.0'),
  field(2, Buffer.concat([field(1, TITLE), field(2, VERSION.gitVersion)])),
  field(8, ''),
  field(9, ''),
])
