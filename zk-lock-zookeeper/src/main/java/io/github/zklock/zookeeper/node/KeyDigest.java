/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.zookeeper.node;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces keys, which may be personal data, by digests that only the holders of a secret
 * can compute. A plain digest of an account number is found by trying all numbers.
 */
public final class KeyDigest implements UnaryOperator<String> {

	private static final String PREFIX = "hmac-";

	private static final String ALGORITHM = "HmacSHA256";

	private final SecretKeySpec secret;

	public KeyDigest(String secret) {
		this.secret = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
	}

	@Override
	public String apply(String key) {
		try {
			// A Mac is not thread-safe.
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.secret);
			return PREFIX + HexFormat.of().formatHex(mac.doFinal(key.getBytes(StandardCharsets.UTF_8)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java platform has " + ALGORITHM, ex);
		}
	}

}
