declare module 'snappyjs' {
  /** Throws when the block is damaged or would be longer than `maxLength` bytes. */
  export function uncompress(compressed: Uint8Array, maxLength?: number): Uint8Array
  export function compress(plain: Uint8Array): Uint8Array
}
