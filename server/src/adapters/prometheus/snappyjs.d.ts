declare module 'snappyjs' {
  export function compress(plain: Uint8Array): Uint8Array
}
