import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, type Layer } from './layer.ts'

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const indexType = 'application/vnd.oci.image.index.v1+json'
const configType = 'application/vnd.oci.image.config.v1+json'
const layerType = 'application/vnd.oci.image.layer.v1.tar+zstd'

/** A blob as others refer to it. */
export interface Descriptor {
  mediaType: string
  digest: string
  size: number
  annotations?: Record<string, string>
  platform?: { os: string; architecture: string }
}

/** How a container of the image runs unless somebody says otherwise. */
export interface Runtime {
  User: string
  WorkingDir: string
  Entrypoint: string[]
  Env: string[]
  ExposedPorts: Record<string, object>
  Volumes: Record<string, object>
  Labels: Record<string, string>
}

/** A folder in the layout of the Open Container Initiative, which registries' clients push. */
export class OciLayout {
  readonly #folder: string
  readonly #index: Descriptor[] = []

  constructor(folder: string) {
    this.#folder = folder
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true })
    writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  }

  blob(mediaType: string, bytes: Buffer): Descriptor {
    const digest = digestOf(bytes)
    writeFileSync(join(this.#folder, 'blobs', ...digest.split(':')), bytes)
    return { mediaType, digest, size: bytes.length }
  }

  /** Adds an image for one architecture, and gives its manifest. */
  image(architecture: string, layers: readonly Layer[], runtime: Runtime): Descriptor {
    const config = {
      ...{ architecture, os: 'linux', created: new Date(0).toISOString(), config: runtime },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    }
    const descriptor = this.manifest({
      config: this.blob(configType, json(config)),
      layers: layers.map(({ blob }) => this.blob(layerType, blob)),
    })
    return { ...descriptor, platform: { os: 'linux', architecture } }
  }

  manifest(parts: { config: Descriptor; layers: readonly Descriptor[] }): Descriptor {
    return this.blob(manifestType, json({ schemaVersion: 2, mediaType: manifestType, ...parts }))
  }

  /** Adds an image for several architectures. */
  images(manifests: readonly Descriptor[]): Descriptor {
    return this.blob(indexType, json({ schemaVersion: 2, mediaType: indexType, manifests }))
  }

  /** Names something in the layout, by a tag and other annotations. */
  name(descriptor: Descriptor, tag: string, others: Record<string, string> = {}): void {
    const annotations = { 'org.opencontainers.image.ref.name': tag, ...others }
    this.#index.push({ ...descriptor, annotations })
    const index = { schemaVersion: 2, mediaType: indexType, manifests: this.#index }
    writeFileSync(join(this.#folder, 'index.json'), json(index))
  }
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
