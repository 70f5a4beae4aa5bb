import { emptyLayout, type Layout } from './layout.ts'

/** Where somebody was in a form; kept while another view is shown. */
export interface ViewState {
  layout: Layout
  group: string | undefined
  top: number
  limit: number | undefined
}

export function emptyViewState(): ViewState {
  return { layout: emptyLayout(), group: undefined, top: 0, limit: undefined }
}
