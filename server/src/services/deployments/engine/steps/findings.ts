import type { Waiting } from '@quayside/contract/live/live'
import type { OutsideVerdict } from '../../ports.ts'

/** Results of steps that later steps or the end of the action need; undefined where no step of the action gives it. */
export interface Findings {
  /** Path of the package on this replica's disk. */
  chartFile: string | undefined
  rendered: Rendered | undefined
  /** Kubeconfig of the space's own identity. */
  kubeconfig: string | undefined
  helm: HelmEnd
}

/** The release as its chart and values make it, judged before Helm runs. */
export interface Rendered {
  manifest: string | undefined
  /** The judged objects that the release needs outside of its space. */
  outside: OutsideVerdict | undefined
  /** Fingerprint of the package and its values. */
  fingerprint: string
}

/** The outcome of Helm's part. */
export interface HelmEnd {
  ran: boolean
  /** The release was looked at. */
  hasLooked: boolean
  timedOut: boolean
  /** Helm's own words. */
  lastError: string | null
  /** Why Helm was stopped: somebody has aborted it, or the rights that it needs were taken back. */
  stopped: string | null
  /** Why something did not become ready, in the words of the object that blocks. */
  blocked: string | null
  revision: number | null
  /** Notes of the chart for the revision that was read back last. */
  notes: string
  /** Objects that Helm was waiting for when it was last seen. */
  open: Waiting['objects']
}

/** Findings before the first step. `timedOut`: people were told so by whoever had the action before. */
export function noFindings(timedOut: boolean): Findings {
  return {
    chartFile: undefined,
    rendered: undefined,
    kubeconfig: undefined,
    helm: {
      ran: false,
      hasLooked: false,
      timedOut,
      lastError: null,
      stopped: null,
      blocked: null,
      revision: null,
      notes: '',
      open: [],
    },
  }
}

/** The end of a step: its findings, which count also when it failed. */
export interface StepEnd<Given extends keyof Findings = never> {
  found: Pick<Findings, Given>
  failure?: unknown
}

/** The end of a step that finds nothing that others need. */
export const done: StepEnd = { found: {} }
