-- Ids are compared as bytes, whatever collation the database was made with: a language's order would put
-- "evt_1b" between "evt_1A" and "evt_1C", so that the search for the beginning of an id could not be a range of
-- an index. It is also the cheaper comparison.
ALTER TABLE "processed_stripe_events"
	ALTER COLUMN "event_id" TYPE text COLLATE "C",
	ALTER COLUMN "event_type" TYPE text COLLATE "C",
	ALTER COLUMN "object_id" TYPE text COLLATE "C",
	ALTER COLUMN "order_id" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "event_deliveries"
	ALTER COLUMN "event_id" TYPE text COLLATE "C",
	ALTER COLUMN "winner_event_id" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "orders"
	ALTER COLUMN "order_id" TYPE text COLLATE "C",
	ALTER COLUMN "checkout_session_id" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "payments"
	ALTER COLUMN "payment_id" TYPE text COLLATE "C",
	ALTER COLUMN "order_id" TYPE text COLLATE "C",
	ALTER COLUMN "checkout_session_id" TYPE text COLLATE "C",
	ALTER COLUMN "charge_id" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "customers" ALTER COLUMN "ref" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "event_attempts" ALTER COLUMN "event_id" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "event_payloads" ALTER COLUMN "event_id" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "effects"
	ALTER COLUMN "order_id" TYPE text COLLATE "C",
	ALTER COLUMN "event_id" TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "credit_ledger" ALTER COLUMN "order_id" TYPE text COLLATE "C";
