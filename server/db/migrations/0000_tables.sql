CREATE TABLE "audit_chain_head" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"entries" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "there_is_one_head" CHECK ("audit_chain_head"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"sequence" bigint PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" text NOT NULL,
	"actor_role" text NOT NULL,
	"action" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" text NOT NULL,
	"result" text NOT NULL,
	"refusal_code" text,
	"reason" text,
	"before" jsonb,
	"after" jsonb,
	"request_id" uuid,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "actor_role_is_known" CHECK ("audit_entries"."actor_role" in ('support', 'ops', 'finance', 'admin')),
	CONSTRAINT "refusal_has_code" CHECK (("audit_entries"."result" = 'refused') = ("audit_entries"."refusal_code" is not null))
);
--> statement-breakpoint
CREATE TABLE "catalog_items" (
	"price_id" text PRIMARY KEY NOT NULL,
	"credits" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "catalog_credits_are_not_negative" CHECK ("catalog_items"."credits" >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_ledger" (
	"entry_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "credit_ledger_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" bigint NOT NULL,
	"order_id" text NOT NULL,
	"effect_id" uuid NOT NULL,
	"delta" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "one_ledger_line_per_effect" UNIQUE("effect_id"),
	CONSTRAINT "delta_is_a_change" CHECK ("credit_ledger"."delta" <> 0)
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"customer_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customers_customer_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_kind_is_known" CHECK ("customers"."kind" in ('user', 'stripe_customer', 'guest'))
);
--> statement-breakpoint
CREATE TABLE "effects" (
	"effect_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"event_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "one_effect_per_order_kind_subject" UNIQUE("order_id","kind","subject"),
	CONSTRAINT "effect_belongs_to_its_order" UNIQUE("effect_id","order_id"),
	CONSTRAINT "effect_kind_is_known" CHECK ("effects"."kind" in ('grant_credits', 'adjust_credits', 'receipt_mail', 'app_notice')),
	CONSTRAINT "the_grant_has_no_subject" CHECK ("effects"."kind" <> 'grant_credits' or "effects"."subject" = '')
);
--> statement-breakpoint
CREATE TABLE "event_attempts" (
	"event_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"worker" text NOT NULL,
	"claim_token" uuid NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"result" text,
	"error_code" text,
	"error" text,
	"refused_at" timestamp with time zone,
	CONSTRAINT "event_attempts_event_id_attempt_pk" PRIMARY KEY("event_id","attempt"),
	CONSTRAINT "attempt_result_is_known" CHECK ("event_attempts"."result" in ('processed', 'retry', 'dead', 'given_back', 'lost')),
	CONSTRAINT "attempt_end_is_whole" CHECK (("event_attempts"."ended_at" is null) = ("event_attempts"."result" is null))
);
--> statement-breakpoint
CREATE TABLE "event_deliveries" (
	"delivery_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_deliveries_delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text,
	"winner_event_id" text,
	"verdict" text NOT NULL,
	"source" text DEFAULT 'webhook' NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"signed_at" timestamp with time zone,
	"body" "bytea",
	CONSTRAINT "verdict_is_known" CHECK ("event_deliveries"."verdict" in ('claimed', 'redelivery', 'twin', 'rearmed', 'unreadable')),
	CONSTRAINT "source_is_known" CHECK ("event_deliveries"."source" in ('webhook', 'backfill')),
	CONSTRAINT "readable_has_winner" CHECK (("event_deliveries"."verdict" = 'unreadable') = ("event_deliveries"."winner_event_id" is null)),
	CONSTRAINT "readable_has_event" CHECK (("event_deliveries"."verdict" = 'unreadable') = ("event_deliveries"."event_id" is null)),
	CONSTRAINT "only_unreadable_keeps_body" CHECK ("event_deliveries"."body" is null or "event_deliveries"."verdict" = 'unreadable')
);
--> statement-breakpoint
CREATE TABLE "event_payloads" (
	"event_id" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "event_payloads_event_id_received_at_pk" PRIMARY KEY("event_id","received_at")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"mode" text NOT NULL,
	"sign_in_secret" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "there_is_one_installation" CHECK ("installation"."id" = 1),
	CONSTRAINT "mode_is_known" CHECK ("installation"."mode" in ('sandbox', 'test', 'live'))
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"account" text DEFAULT '' NOT NULL,
	"checkout_session_id" text,
	"version" bigint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"currency" text,
	"amount_subtotal" bigint,
	"amount_total" bigint,
	"presentment_amount" bigint,
	"presentment_currency" text,
	"credits" bigint,
	"customer_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "order_state_is_known" CHECK ("orders"."state" in ('pending', 'awaiting_payment', 'paid', 'partially_refunded', 'refunded', 'disputed', 'payment_failed', 'expired')),
	CONSTRAINT "version_only_counts" CHECK ("orders"."version" >= 0),
	CONSTRAINT "credits_are_not_negative" CHECK ("orders"."credits" >= 0),
	CONSTRAINT "currency_is_lower_case" CHECK ("orders"."currency" = lower("orders"."currency")),
	CONSTRAINT "paid_has_instant" CHECK ("orders"."state" not in ('paid', 'partially_refunded', 'refunded', 'disputed') or "orders"."paid_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"checkout_session_id" text NOT NULL,
	"payment_intent_id" text,
	"charge_id" text,
	"amount" bigint,
	"currency" text,
	"grants" boolean NOT NULL,
	"paid_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_is_not_negative" CHECK ("payments"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "processed_stripe_events" (
	"event_id" text PRIMARY KEY NOT NULL,
	"event_type" text NOT NULL,
	"object_id" text NOT NULL,
	"status" text DEFAULT 'processing' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"once" boolean NOT NULL,
	"livemode" boolean NOT NULL,
	"account" text DEFAULT '' NOT NULL,
	"api_version" text,
	"occurred_at" timestamp with time zone,
	"outcome" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claim_token" uuid,
	"claimed_by" text,
	"lease_until" timestamp with time zone,
	"rearmed_at" timestamp with time zone,
	"last_error_code" text,
	"last_error" text,
	"processed_at" timestamp with time zone,
	"order_id" text,
	CONSTRAINT "status_is_known" CHECK ("processed_stripe_events"."status" in ('processing', 'processed', 'dead')),
	CONSTRAINT "lease_is_whole" CHECK (num_nonnulls("processed_stripe_events"."claim_token", "processed_stripe_events"."claimed_by", "processed_stripe_events"."lease_until") in (0, 3)),
	CONSTRAINT "only_processing_is_held" CHECK ("processed_stripe_events"."status" = 'processing' or "processed_stripe_events"."claim_token" is null),
	CONSTRAINT "processed_has_outcome" CHECK (("processed_stripe_events"."status" = 'processed') = ("processed_stripe_events"."outcome" is not null)),
	CONSTRAINT "processed_has_instant" CHECK (("processed_stripe_events"."status" = 'processed') = ("processed_stripe_events"."processed_at" is not null)),
	CONSTRAINT "dead_has_error" CHECK ("processed_stripe_events"."status" <> 'dead' or "processed_stripe_events"."last_error_code" is not null),
	CONSTRAINT "attempt_is_counted" CHECK ("processed_stripe_events"."attempt" >= 0 and "processed_stripe_events"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "stripe_read_slots" (
	"route" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credit_ledger" ADD CONSTRAINT "credit_ledger_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_ledger" ADD CONSTRAINT "ledger_line_belongs_to_its_effect" FOREIGN KEY ("effect_id","order_id") REFERENCES "public"."effects"("effect_id","order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "effects" ADD CONSTRAINT "effects_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_id_customers_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_act_per_request" ON "audit_entries" USING btree ("request_id") WHERE "audit_entries"."result" = 'done';--> statement-breakpoint
CREATE INDEX "audit_by_target" ON "audit_entries" USING btree ("target_kind","target_id","sequence");--> statement-breakpoint
CREATE INDEX "ledger_by_customer" ON "credit_ledger" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "ledger_by_order" ON "credit_ledger" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_customer_per_reference" ON "customers" USING btree ("ref","kind","account");--> statement-breakpoint
CREATE INDEX "effects_by_event" ON "effects" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_winner" ON "event_deliveries" USING btree ("winner_event_id","delivery_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_event" ON "event_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "deliveries_by_receipt" ON "event_deliveries" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "orders_by_age" ON "orders" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "orders_by_state" ON "orders" USING btree ("state","created_at","order_id");--> statement-breakpoint
CREATE INDEX "orders_by_session" ON "orders" USING btree ("checkout_session_id");--> statement-breakpoint
CREATE INDEX "orders_by_customer" ON "orders" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_granting_payment_per_order" ON "payments" USING btree ("order_id") WHERE "payments"."grants";--> statement-breakpoint
CREATE INDEX "payments_by_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_by_session" ON "payments" USING btree ("checkout_session_id");--> statement-breakpoint
CREATE INDEX "payments_by_charge" ON "payments" USING btree ("charge_id") WHERE "payments"."charge_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_row_per_one_shot_action" ON "processed_stripe_events" USING btree ("object_id","event_type","livemode","account") WHERE "processed_stripe_events"."once";--> statement-breakpoint
CREATE INDEX "processing_by_due" ON "processed_stripe_events" USING btree ("due_at","event_id") WHERE "processed_stripe_events"."status" = 'processing';--> statement-breakpoint
CREATE INDEX "unfinished_by_receipt" ON "processed_stripe_events" USING btree ("created_at","event_id") WHERE "processed_stripe_events"."status" <> 'processed';--> statement-breakpoint
CREATE INDEX "events_by_receipt" ON "processed_stripe_events" USING btree ("created_at","event_id");--> statement-breakpoint
CREATE INDEX "events_by_type" ON "processed_stripe_events" USING btree ("event_type","created_at","event_id");--> statement-breakpoint
CREATE INDEX "events_by_object" ON "processed_stripe_events" USING btree ("object_id");--> statement-breakpoint
CREATE INDEX "events_by_order" ON "processed_stripe_events" USING btree ("order_id") WHERE "processed_stripe_events"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "recorded_by_type" ON "processed_stripe_events" USING btree ("event_type","event_id") WHERE "processed_stripe_events"."outcome" = 'recorded';