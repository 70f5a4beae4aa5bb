export interface Tables {
  metrics_collections: {
    cluster_id: string
    tenant_id: string
    /** A replica that collects the cluster puts this off; another one goes on when it has passed. */
    due_at: Date
    /** When figures arrived last. */
    collected_at: Date | null
    /** Why none, or not all, arrived the last time. */
    problem: string | null
  }
}
