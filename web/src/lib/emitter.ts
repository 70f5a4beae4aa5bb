/** A list of listeners for one kind of news. */
export interface Emitter<T> {
  emit(news: T): void
  on(listener: (news: T) => void): () => void
}

export function createEmitter<T>(): Emitter<T> {
  const listeners = new Set<(news: T) => void>()
  return {
    emit(news) {
      for (const listener of [...listeners]) listener(news)
    },
    on(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
