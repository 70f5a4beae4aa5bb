import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Descriptor, OciLayout } from './oci-layout.ts'

const payloadType = 'application/vnd.dev.cosign.simplesigning.v1+json'
const configType = 'application/vnd.oci.image.config.v1+json'

/** A private key for signing, from PEM. Throws an error that says which keys are taken. */
export function signingKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Said below, as a key of another kind is.
  }
  throw new Error('The key is not a private key on the curve P-256 in PEM, without a passphrase.')
}

/** The public key, by which others verify the signatures. */
export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

/** Adds a signature as cosign writes and verifies it: an image of its own, whose tag is made of the digest. */
export function addSignature(layout: OciLayout, signed: Descriptor, name: string, key: KeyObject, others = {}): void {
  const payload = Buffer.from(
    JSON.stringify({
      critical: {
        identity: { 'docker-reference': name },
        image: { 'docker-manifest-digest': signed.digest },
        type: 'cosign container image signature',
      },
      optional: null,
    }),
  )
  const signature = sign('sha256', payload, key).toString('base64')
  const layer = {
    ...layout.blob(payloadType, payload),
    annotations: { 'dev.cosignproject.cosign/signature': signature },
  }
  const config = { architecture: '', os: '', config: {}, rootfs: { type: 'layers', diff_ids: [layer.digest] } }
  const manifest = layout.manifest({
    config: layout.blob(configType, Buffer.from(JSON.stringify(config))),
    layers: [layer],
  })
  layout.name(manifest, `${signed.digest.replace(':', '-')}.sig`, others)
}
