import type { StoreEvent } from '../../object-store.ts'
import type { Pod } from '../engine/pod-kinds.ts'

/** 10.244.0.0/14: room for a quarter of a million pods. */
const BASE = (10 << 24) | (244 << 16)
const SIZE = 1 << 18

/** Hands out pod addresses, each to one pod at a time. */
export class PodAddresses {
  private readonly used = new Set<string>()
  private next = 2

  follow(event: StoreEvent): void {
    const pod = event.object as Pod
    const ip = pod.status?.podIP
    if (!ip || pod.spec.hostNetwork) return
    if (event.type === 'DELETED') this.used.delete(ip)
    else this.used.add(ip)
  }

  allocate(): string {
    for (let tries = 0; tries < SIZE; tries++) {
      this.next = this.next + 1 < SIZE - 1 ? this.next + 1 : 2
      const value = BASE + this.next
      const ip = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
      if (this.used.has(ip)) continue
      this.used.add(ip)
      return ip
    }
    throw new Error('no pod address is free')
  }
}
