-- Payloads, by month: retention drops a partition instead of deleting its rows. The table that the
-- schema describes is replaced, since Drizzle cannot say PARTITION BY.
DROP TABLE "event_payloads";
--> statement-breakpoint
CREATE TABLE "event_payloads" (
	"event_id" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "event_payloads_event_id_received_at_pk" PRIMARY KEY ("event_id", "received_at")
) PARTITION BY RANGE ("received_at");
--> statement-breakpoint
-- Safety net: a payload must never be refused because a month was not prepared. Stays empty while the
-- server makes its partitions ahead; ensure_payload_partitions() would fail on a month that has rows here.
CREATE TABLE "event_payloads_default" PARTITION OF "event_payloads" DEFAULT;
--> statement-breakpoint
-- Makes the partitions of this month (UTC) and the twelve after it. Called at every start, safe at once.
-- Making one locks the whole table. Behind a backup that reads it, every webhook would wait in the same queue; there
-- are months of slack, so it waits a second at most and tries again another time.
CREATE FUNCTION "ensure_payload_partitions"() RETURNS void LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
	first_day date;
	partition_name text;
BEGIN
	PERFORM pg_advisory_xact_lock(4242002);
	FOR ahead IN 0..12 LOOP
		first_day := (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead))::date;
		partition_name := 'event_payloads_' || to_char(first_day, 'YYYY_MM');
		IF to_regclass(partition_name) IS NULL THEN
			EXECUTE format(
				'CREATE TABLE %I PARTITION OF event_payloads FOR VALUES FROM (%L) TO (%L)',
				partition_name,
				first_day || ' 00:00:00+00',
				(first_day + interval '1 month')::date || ' 00:00:00+00'
			);
		END IF;
	END LOOP;
EXCEPTION WHEN lock_not_available THEN
	RAISE WARNING 'Payload partitions could not be prepared now: the table is busy. The next round tries again.';
END $$;
--> statement-breakpoint
SELECT ensure_payload_partitions();
--> statement-breakpoint
-- What is written once stays written: an audit trail or a ledger that can be corrected proves nothing.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_entries_are_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "credit_ledger_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit_ledger"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "effects_are_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "effects"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
INSERT INTO "audit_chain_head" ("id", "entries", "hash") VALUES (1, 0, ''::bytea);
--> statement-breakpoint
COMMENT ON TABLE "processed_stripe_events" IS 'The claim: one row for each thing Stripe told us. Only server/receiving inserts and only server/claims changes it.';
--> statement-breakpoint
COMMENT ON COLUMN "processed_stripe_events"."status" IS 'processing: a worker will act or is acting. processed: settled. dead: waits for a person.';
--> statement-breakpoint
COMMENT ON COLUMN "processed_stripe_events"."attempt" IS 'How often workers took it. Only rises, so it names an attempt for ever.';
--> statement-breakpoint
COMMENT ON COLUMN "processed_stripe_events"."claim_token" IS 'Fence: settling requires it, so a worker that lost its lease changes nothing.';
--> statement-breakpoint
COMMENT ON COLUMN "processed_stripe_events"."due_at" IS 'When a worker may take it. While held it equals lease_until; infinity under manual takeover until somebody offers it.';
--> statement-breakpoint
COMMENT ON TABLE "event_payloads" IS 'The raw bytes Stripe signed. Evidence, never the truth.';
--> statement-breakpoint
COMMENT ON TABLE "event_deliveries" IS 'Every verified arrival, with the event that carries its claim.';
--> statement-breakpoint
COMMENT ON TABLE "event_attempts" IS 'Every take of an event by a worker, and how it ended.';
--> statement-breakpoint
COMMENT ON TABLE "orders" IS 'A cache of what Stripe last said of each order. version guards against stale reads.';
--> statement-breakpoint
COMMENT ON TABLE "payments" IS 'Every payment of an order; at most one grants.';
--> statement-breakpoint
COMMENT ON TABLE "effects" IS 'Business operations that may exist once per order. Append-only.';
--> statement-breakpoint
COMMENT ON TABLE "credit_ledger" IS 'Credits as added lines; a balance is their sum. Append-only.';
--> statement-breakpoint
COMMENT ON TABLE "customers" IS 'Who is credited.';
--> statement-breakpoint
COMMENT ON TABLE "catalog_items" IS 'Price id to credits; goes before metadata in Stripe.';
--> statement-breakpoint
COMMENT ON TABLE "audit_entries" IS 'Human acts, hash-chained from the first row. Append-only, ids only.';
--> statement-breakpoint
COMMENT ON TABLE "audit_chain_head" IS 'Count and hash of the newest audit entry; its lock orders all writers.';
--> statement-breakpoint
COMMENT ON TABLE "installation" IS 'One row: the mode this database belongs to for ever.';
--> statement-breakpoint
COMMENT ON TABLE "stripe_read_slots" IS 'Rate limit towards Stripe, shared by all processes.';
